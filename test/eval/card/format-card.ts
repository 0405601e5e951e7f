import { quantile } from '../../support/quantile.ts'
import { shareOf } from '../statistics.ts'
import type { CardRow } from './evaluate-card.ts'
import { maxTilt, minShare } from './sample-scene.ts'

/** @param mistaken photographs without a card in which one was found, of `photographs` */
export function formatCard(rows: readonly CardRow[], mistaken: number, photographs: number): string {
  const percent = (value: number) => `${(value * 100).toFixed(2)} %`
  const spread = (errors: readonly number[], show: (value: number) => string) =>
    `median ${show(quantile(errors, 0.5))}, 95th percentile ${show(quantile(errors, 0.95))} of ${errors.length}`
  const centimetres = (value: number) => `${value.toFixed(2)} cm`
  const found = shareOf(rows.map(({ isFound }) => isFound))
  const withLines = rows.filter(({ lines }) => lines.length > 0).length
  return [
    `Printed card, ${rows.length} rendered scenes: at least ${percent(minShare)} of the picture, tilted at most ${maxTilt} degrees`,
    `  found                 ${percent(found.value)} (${percent(found.low)} to ${percent(found.high)})`,
    `  error of the garment's width and height  ${spread(
      rows.flatMap(({ errors }) => errors.map(Math.abs)),
      percent,
    )}`,
    `  error of answered lines between their own ends  ${spread(
      rows.flatMap(({ lines }) => lines.map(({ cm, trueCm }) => Math.abs(cm - trueCm))),
      centimetres,
    )}, in ${withLines} scenes`,
    `  found in photographs without a card  ${mistaken} of ${photographs}`,
  ].join('\n')
}
