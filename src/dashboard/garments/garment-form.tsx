import { valueOf } from '../../platform/value-of.ts'
import { type Child, useContext } from 'hono/jsx'
import { mayUse, type Role } from '../../accounts/permissions.ts'
import {
  allowedMeasurements,
  allowedValues,
  correctableNames,
  lineName,
} from '../../garments/corrections/allowed-values.ts'
import { itemTypeOf, type MachineResult } from '../../garments/corrections/apply-corrections.ts'
import { parseCorrections } from '../../garments/corrections/correction.ts'
import { parseAttribute } from '../../garments/garment-fields.ts'
import { type GarmentRow } from '../../garments/garment.ts'
import { type Language, languages } from '../../garments/listing-texts/listing-words.ts'
import {
  type DescriptionBlock,
  descriptionBlocks,
  formatOmitted,
  listingNames,
  plainKey,
} from '../../garments/listing-values.ts'
import type { Attribute } from '../../vision/tagging.ts'
import {
  formItemType,
  formValues,
  measurementField,
  type OtherChange,
  tagField,
} from '../corrections/read-correction.tsx'
import { attributeField, type FormValues } from '../form.ts'
import { Section } from '../parts/elements.tsx'
import { Check, Choice, CurrentForm, Field, type FormState, idOf, TextArea } from '../parts/form-fields.tsx'
import { listedValues, readOther } from './edit-page.tsx'
import { Confidence } from './tag-notes.tsx'

export const mayEdit = (role: Role) => mayUse(role, 'POST /dashboard/edit')

export interface SentForm {
  readonly form: FormState
  readonly changes?: readonly OtherChange[]
}

const essentialNames = ['Size', 'Condition', 'Price', 'Currency', 'Stage'] as const
const textNames = ['Title', 'Description'] as const
const [omitsName] = listingNames.omits
const saleFieldNames = ['Sold price', 'Sold currency', 'Sold channel', 'Sold at'] as const
const usualNames = [...essentialNames, ...saleFieldNames, ...textNames, 'Stock', 'SKU']

/** Returns a value as its field shows it: the day of a sale, and all other values as they are. */
const shownValue = (attribute: Attribute, name: string) =>
  (valueOf(attribute, name) ?? '').slice(0, plainKey(name) === plainKey('Sold at') ? 10 : undefined)

/** Returns the garment's own spelling of a value's name, such as `price` for `Price`. */
export const ownSpelling = (attribute: Attribute, name: string) =>
  Object.keys(attribute).findLast((each) => plainKey(each) === plainKey(name)) ?? name

/** Returns the names of all values with a field, in the garment's spelling: first the standard ones, then others. */
export function valueNames(attribute: Attribute): string[] {
  const usual = usualNames.map((name) => ownSpelling(attribute, name))
  return [...usual, ...Object.keys(attribute).filter((name) => !usual.includes(name))]
}

/** Returns the current values of all fields that the role may edit. A stale form is detected by comparing with them. */
export function presentValues(garment: GarmentRow, role: Role): FormValues {
  const attribute = parseAttribute(garment.attribute)
  const names = mayEdit(role) ? valueNames(attribute) : []
  return {
    ...formValues(parseCorrections(garment.corrections)),
    ...Object.fromEntries(names.map((name) => [attributeField(name), shownValue(attribute, name)])),
  }
}

/** Returns the values that differ from the garment's. An empty field removes its value. */
export function readValues(attribute: Attribute, values: FormValues): Readonly<Record<string, string | null>> {
  const { other, value } = readOther(values)
  const sent = Object.keys(values).filter((name) => name.startsWith(attributeField('')))
  const names = new Set([...valueNames(attribute), ...sent.map((name) => name.slice(attributeField('').length))])
  const changed = [...names].flatMap((name): [string, string | null][] => {
    const text = values[attributeField(name)]?.trim()
    if (text === undefined || text === shownValue(attribute, name).trim()) return []
    // Noon in UTC is the same day in nearly all time zones.
    const isDay = plainKey(name) === plainKey('Sold at') && /^\d{4}-\d\d-\d\d$/.test(text)
    return [[name, text === '' ? null : isDay ? `${text}T12:00:00Z` : text]]
  })
  const omitted = readBlocks(values)
  if (omitted !== undefined) {
    const text = formatOmitted(omitted)
    changed.push([ownSpelling(attribute, omitsName), text === values[defaultOmitted] ? null : text])
  }
  return Object.fromEntries(other === '' ? changed : [...changed, [other, value]])
}

interface ValueFieldsProps {
  readonly attribute: Attribute
}

const ValueField = ({ attribute, name }: ValueFieldsProps & { name: string }) => {
  const spelling = ownSpelling(attribute, name)
  const field = { name: attributeField(spelling), label: spelling, optional: true }
  const value = valueOf(attribute, spelling) ?? ''
  // A single-line field would remove the line breaks of a text.
  if (value.includes('\n')) return <TextArea {...field} />
  const values = valueOf(listedValues, name)
  if (values !== undefined)
    return (
      <Choice
        {...field}
        empty={name === 'Stage' ? 'draft' : 'Not said'}
        values={values.filter((each) => each !== 'draft')}
      />
    )
  return <Field {...field} />
}

export const Essentials = (props: ValueFieldsProps) => (
  <div class="essentials">
    {essentialNames.map((name) => (
      <ValueField {...props} name={name} />
    ))}
  </div>
)

const channels = ['Vinted', 'eBay', 'Shopify', 'Etsy', 'Depop', 'Vestiaire Collective', 'In person']

export const ChannelList = () => (
  <datalist id="channels">
    {channels.map((channel) => (
      <option value={channel} />
    ))}
  </datalist>
)

/** Fields of a sale, hidden unless the stage is `sold`. Empty fields take the listing's price and the current time. */
export const SaleFields = ({ attribute }: ValueFieldsProps) => (
  <fieldset class="sale">
    <legend>Sale</legend>
    <div class="essentials">
      {saleFieldNames.map((name) => (
        <Field
          name={attributeField(ownSpelling(attribute, name))}
          label={name.replace('Sold channel', 'Sold on').replace('Sold at', 'Date of sale')}
          {...(name === 'Sold at' ? { type: 'date' } : name === 'Sold channel' ? { list: 'channels' } : {})}
          placeholder={name === 'Sold price' ? (valueOf(attribute, ownSpelling(attribute, 'Price')) ?? '') : ''}
          optional
        />
      ))}
    </div>
    <ChannelList />
  </fieldset>
)

/** The names of titles and descriptions that apply to one language only. */
const languageNames = textNames.flatMap((name) => languages.map((language) => `${name} ${language}`))

/**
 * Returns the name of the value that holds a language's title or description. The default language uses the name
 * without a language, unless the garment has one for it.
 */
export function textName(
  attribute: Attribute,
  name: (typeof textNames)[number],
  { language, isDefault }: TextLanguage,
) {
  const named = ownSpelling(attribute, `${name} ${language}`)
  return isDefault && attribute[named] === undefined ? ownSpelling(attribute, name) : named
}

export interface TextLanguage {
  readonly language: Language
  readonly isDefault: boolean
}

const generatedPrefix = 'generated.'

/** Empties fields whose text is still the generated one, so that the garment keeps none of its own. */
export const withoutGenerated = (values: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, text]) => {
      const isGenerated = values[generatedPrefix + name]?.trim() === text.trim()
      return [name, isGenerated ? '' : text]
    }),
  )

interface ListingTextProps {
  /** The name of the value, such as `Title` or `Title de`. */
  readonly name: string
  readonly lang: Language
  readonly rows: number
  readonly generated: string
}

/** Field with a listing's title or text as it is exported. An edited text replaces the generated one. */
export const ListingText = ({ name, lang, rows, generated }: ListingTextProps) => {
  const form = useContext(CurrentForm)
  const field = attributeField(name)
  const edited = form.values[field] ?? ''
  return (
    <div class="copyable" lang={lang} data-generated="" data-renewed={name}>
      <CurrentForm.Provider value={{ ...form, values: { ...form.values, [field]: edited || generated } }}>
        <TextArea name={field} label={name} rows={rows} optional />
      </CurrentForm.Provider>
      <input type="hidden" name={generatedPrefix + field} value={generated} />
      <button type="button" class="quiet" data-copy-from={idOf(field)} hidden>
        Copy<span class="visually-hidden"> {name.toLowerCase()}</span>
      </button>
      <p class="hint" lang="en" data-edited-text="" hidden={edited === ''}>
        You edited this text. An empty field takes the generated text again.
      </p>
    </div>
  )
}

const blockField = (block: DescriptionBlock) => `block.${block}`

/** Name of a hidden field with the blocks that the tenant's defaults omit. */
const defaultOmitted = 'blocks'

/** Returns the blocks that a submitted form omits, or undefined if the form has no switches. */
export const readBlocks = (values: FormValues): readonly DescriptionBlock[] | undefined =>
  values[defaultOmitted] === undefined
    ? undefined
    : descriptionBlocks.filter((block) => values[blockField(block)] !== 'yes')

export const BlockSwitches = ({ omitted, byDefault }: Record<'omitted' | 'byDefault', readonly DescriptionBlock[]>) => {
  const form = useContext(CurrentForm)
  const checked = descriptionBlocks.filter((block) => !omitted.includes(block))
  const values = Object.fromEntries(checked.map((block) => [blockField(block), 'yes']))
  return (
    <fieldset data-blocks="">
      <legend>The generated description has</legend>
      <CurrentForm.Provider value={{ ...form, values }}>
        {descriptionBlocks.map((block) => (
          <Check name={blockField(block)} label={block} />
        ))}
      </CurrentForm.Provider>
      <input type="hidden" name={defaultOmitted} value={formatOmitted(byDefault)} />
    </fieldset>
  )
}

export const OtherValues = ({ attribute }: ValueFieldsProps) => {
  const form = useContext(CurrentForm)
  const shown = [...essentialNames, ...saleFieldNames, ...textNames, ...languageNames, omitsName].map((name) =>
    ownSpelling(attribute, name),
  )
  const hasProblem = ['other', 'value'].some((name) => form.problems?.byField[name] !== undefined)
  return (
    <Section id="own-values" title="Stock, SKU and values of your own" open={hasProblem}>
      <p class="hint">An empty field removes the value.</p>
      <div class="pair">
        {valueNames(attribute)
          .filter((name) => !shown.includes(name))
          .map((name) => (
            <ValueField {...{ attribute, name }} />
          ))}
        <Field name="other" label="Another column" hint="Any name of yours, such as Shelf." optional />
        <Field name="value" label="Its value" optional />
      </div>
    </Section>
  )
}

/** Fields for all measurements of the item type. An empty field shows the measured value. */
export const MeasurementFields = ({ machine }: { machine: MachineResult }) => (
  <div class="measures" data-renewed="measures">
    {allowedMeasurements(formItemType(useContext(CurrentForm).values, machine)).map((name) => (
      <Field
        name={measurementField(name)}
        type="number"
        label={lineName(name)}
        placeholder={machine.measurements[name] === undefined ? '–' : String(machine.measurements[name])}
        optional
      />
    ))}
  </div>
)

interface TagFieldsProps {
  readonly machine: MachineResult
  readonly names?: readonly string[]
}

/** Fields for all attributes of the item type. An empty field shows the tagged value. */
export const TagFields = ({ machine, names = correctableNames() }: TagFieldsProps) => {
  const itemType = formItemType(useContext(CurrentForm).values, machine)
  return (
    <div class="tag-fields">
      {names.map((name) => (
        <TagField {...{ machine, name, itemType }} />
      ))}
    </div>
  )
}

export const TagSections = ({ machine }: { machine: MachineResult }) => {
  const { values } = useContext(CurrentForm)
  const isInDoubt = (name: string) =>
    !values[tagField(name)] && ['Low', 'Medium'].includes(String(machine.tag[`${name} Confidence`]))
  const doubtful = correctableNames().filter(isInDoubt)
  return (
    <div data-renewed="tags">
      {doubtful.length > 0 && (
        <Section id="doubtful" title="Check these tags" open>
          <TagFields machine={machine} names={doubtful} />
        </Section>
      )}
      <Section id="tags" title={doubtful.length > 0 ? 'Other tags' : 'Tags'} open="wide">
        <TagFields machine={machine} names={correctableNames().filter((name) => !isInDoubt(name))} />
        <p class="hint">
          <a href="/docs/guides/tags-and-measurements">What the tags mean</a>,{' '}
          <a href="/docs/guides/accuracy">what to do with Low</a>
        </p>
      </Section>
    </div>
  )
}

interface TagFieldProps {
  readonly machine: MachineResult
  readonly name: string
  readonly itemType: string
}

const TagField = ({ machine, name, itemType }: TagFieldProps) => {
  if (name === 'Parts' && itemType !== 'Set') return null
  const allowed = allowedValues(name, itemType)
  const predicted = machine.tag[name]
  const tagged = typeof predicted === 'string' ? predicted : ''
  const alternatives = [machine.tag[`${name} Alternatives`] ?? []].flat()
  const hint = <Doubt {...{ machine, name }} />
  const props = { name: tagField(name), label: name, optional: true, hint }
  if (allowed === 'text' || allowed === 'hex') return <Field {...props} placeholder={tagged} />
  if (allowed === undefined || allowed.length === 0) return null
  const fits = tagged !== '' && (allowed.includes(tagged) || itemType === itemTypeOf(machine))
  const groups = [
    { label: 'Tagged', values: fits ? [tagged] : [] },
    { label: 'Alternatives', values: alternatives.filter((value) => allowed.includes(value)) },
    { label: 'Others', values: allowed.filter((value) => value !== tagged && !alternatives.includes(value)) },
  ]
  const names = fits ? { [tagged]: `${tagged}, confirmed` } : {}
  return <Choice {...props} empty={fits ? tagged : 'None'} groups={groups} names={names} />
}

/** Shows the tagger's confidence, or that a person confirmed or corrected the value. */
const Doubt = ({ machine, name }: Omit<TagFieldProps, 'itemType'>): Child => {
  const [confidence, said] = [machine.tag[`${name} Confidence`], useContext(CurrentForm).values[tagField(name)]]
  if (said) return said === machine.tag[name] ? 'confirmed' : 'corrected'
  return typeof confidence === 'string' ? <Confidence level={confidence} /> : ''
}
