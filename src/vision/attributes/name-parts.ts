import type { ClassProbabilities } from '../rank.ts'
import { isItemType, itemOf } from '../taxonomy/item-types.ts'
import type { Build, Item } from '../taxonomy/item.ts'

/** Names the likeliest top and bottom of a set, such as `Shirt and Trousers`. Undefined for other item types. */
export function nameParts({ build }: Item, types: ClassProbabilities): string | undefined {
  if (build !== 'set') return undefined
  const likeliest = (builds: readonly Build[]) =>
    types
      .filter(([name]) => isItemType(name) && builds.includes(itemOf(name).build))
      .reduce<(typeof types)[number] | undefined>((best, type) => (best && best[1] >= type[1] ? best : type), undefined)
  return [likeliest(['top']), likeliest(['legs', 'skirt'])].flatMap((type) => (type ? [type[0]] : [])).join(' and ')
}
