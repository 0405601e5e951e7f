import type { GarmentResult } from '../../garment/fields.ts'
import { Notice } from '../parts/text.tsx'

type Opinion = NonNullable<GarmentResult['second_opinion']>

const speakers: Readonly<Record<Opinion['attributes'][string]['spoke'], string>> = {
  both: 'both agree',
  network: "the tagger's value",
  opinion: "the model's value",
  neither: 'a value between both',
}

/** The answers of the second model, and where the picture contradicts the upload. */
export const SecondOpinion = ({ opinion }: { opinion: Opinion }) => (
  <>
    {opinion.contradicts.length > 0 && (
      <Notice tone="calm" title={`The picture contradicts what you gave as ${opinion.contradicts.join(', ')}.`}>
        <p>Your values were kept. Look at the tags, and correct whichever is wrong.</p>
      </Notice>
    )}
    <p class="hint">
      <a href="/docs/guides/second-opinion">A second model was asked</a>:{' '}
      {Object.entries(opinion.attributes)
        .map(([name, { spoke }]) => `${name === 'shown' ? 'how it is shown' : name} (${speakers[spoke]})`)
        .join(', ')}
      .
    </p>
  </>
)
