import { languages, listingWords, type Language } from '../../listing/languages.ts'
import { type Listing, toText } from '../../listing/write-listing.ts'
import { Copyable } from '../parts/text.tsx'

interface ListingCardProps {
  /** Of the garment's page. */
  readonly path: string
  readonly listing: Listing
  readonly language: Language
}

/** The garment's title and text for customers, as shops get them. */
export const ListingCard = ({ path, listing, language }: ListingCardProps) => (
  <section class="card" aria-labelledby="listing">
    <h2 id="listing">Listing</h2>
    <nav class="filter" aria-label="Language of the listing">
      {languages.map((each) => (
        <a href={`${path}&language=${each}#listing`} lang={each} aria-current={each === language ? 'page' : undefined}>
          {listingWords[each].name}
        </a>
      ))}
    </nav>
    <div lang={language}>
      <Copyable text={listing.title} label="title" wrap />
      <Copyable text={toText(listing)} label="text" wrap />
    </div>
    <p class="hint">
      Your attributes <code>Title</code> and <code>Description</code> stand in place of ours.{' '}
      <a href="/docs/guides/selling">What shops get</a>
    </p>
  </section>
)
