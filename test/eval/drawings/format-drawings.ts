import { type DrawingFigures, firstSeed } from './evaluate-drawings.ts'

/** The figures of drawn flat lays as text. */
export function formatDrawings(report: DrawingFigures): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const list = (values: Readonly<Record<string, number>>, show: (value: number) => string) =>
    Object.entries(values).map(([name, value]) => `  ${name.padEnd(18)}${show(value)}`)
  const high = ({ share, precision }: DrawingFigures['highColour']) =>
    `High ${percent(share)}, of them right ${percent(precision)}`
  return [
    `Drawn flat lays, ${report.count} from seed ${firstSeed} up (development used seeds below 500,000)`,
    `item type ${percent(report.itemType)} (${high(report.highItemType)})   not found ${percent(report.missed)}`,
    `colour first ${percent(report.colourFirst)} (${high(report.highColour)}), among the alternatives ${percent(report.colourAny)}`,
    `pattern ${percent(report.pattern)}   closure ${percent(report.closure)}   outline IoU ${report.iou.toFixed(4)}`,
    `mean error with known scale ${report.maeKnownScaleCm.toFixed(2)} cm, with scale from usual sizes ${report.maePriorScaleCm.toFixed(2)} cm (chest or waist)`,
    'item type right, by item type',
    ...list(report.byType, percent),
    'mean error with known scale, by measurement',
    ...list(report.byMeasurement, (value) => `${value.toFixed(2)} cm`),
    'item type wrong',
    ...list(Object.fromEntries(Object.entries(report.confusions).sort(([, a], [, b]) => b - a)), String),
  ].join('\n')
}
