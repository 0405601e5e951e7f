import type { Share } from '../statistics.ts'
import type { PhotoFigures } from './score-photos.ts'

const percent = (value: number) => `${(value * 100).toFixed(1)} %`

export function formatShare({ value, low, high, count }: Share): string {
  return `${percent(value).padStart(7)} (${percent(low)} to ${percent(high)}) of ${count}`
}

type CalibrationError = NonNullable<PhotoFigures['attributes'][string]>['calibrationError']

function formatError({ value, low, high, chance }: CalibrationError): string {
  return `${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), by chance alone ${chance.toFixed(3)}`
}

/** Fewer photographs of a type say little about it. */
const minExamples = 10

function weakestTypes({ byType }: PhotoFigures): string[] {
  return Object.entries(byType)
    .filter(([, { count }]) => count >= minExamples)
    .sort(([, a], [, b]) => a.value - b.value)
    .slice(0, 5)
    .map(([name, { value }]) => `${name} ${percent(value)}`)
}

/** The figures of one set of photographs as text. */
export function formatPhotos(title: string, figures: PhotoFigures): string {
  const { attributes, outline, shown } = figures
  const table = (shares: Readonly<Record<string, Share>>, most: number) =>
    Object.entries(shares)
      .slice(0, most)
      .map(([name, value]) => `  ${name.padEnd(22)}${formatShare(value)}`)
  return [
    `${title}: ${figures.count} photographs, 95 % intervals`,
    `  no answer             ${formatShare(figures.noAnswer)}`,
    ...(figures.refused.all.count === 0
      ? []
      : [
          `  no garment, refused   ${formatShare(figures.refused.all)}`,
          `    called High         ${formatShare(figures.refused.high)}`,
          ...table(figures.refused.byKind, 10),
        ]),
    `  right kind            ${formatShare(figures.kind)}`,
    `  among alternatives    ${formatShare(figures.among)}`,
    ...Object.entries(attributes).flatMap(([name, { right, highShare, highRight, calibrationError: error }]) => [
      `  ${name.padEnd(22)}${formatShare(right)}`,
      `    High                ${formatShare(highShare)}, right ${formatShare(highRight)}`,
      `    calibration error    ${formatError(error)}`,
    ]),
    `  outline, ${outline.count} flat with a sure mask: mean IoU ${outline.mean.toFixed(3)}`,
    `    pale or striped     ${outline.paleOrStriped.mean.toFixed(3)} of ${outline.paleOrStriped.count}`,
    `    above 0.90          ${formatShare(outline.above90)}`,
    `    below 0.50          ${formatShare(outline.below50)}`,
    `  worn, recognised      ${formatShare(shown.wornRecognised)}`,
    `    with lines          ${formatShare(shown.wornWithLines)}`,
    `  flat or hanging, taken for worn ${formatShare(shown.takenForWorn)}`,
    '  item type: probability and share that is right, in bins of equal mass',
    ...(attributes['Item Type']?.reliability ?? []).map(
      (bin) => `    ${bin.probability.toFixed(2)}  ${bin.right.toFixed(2)}  (${bin.count})`,
    ),
    '  item type right, by item type',
    ...table(figures.byType, 40),
    `  weakest, of types with ${minExamples} examples: ${weakestTypes(figures).join(', ')}`,
    '  item type right, by sender (the 20 with most photographs)',
    ...table(figures.bySender, 20),
    '  item type wrong, most often',
    ...Object.entries(figures.confusions)
      .slice(0, 25)
      .map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`),
  ].join('\n')
}
