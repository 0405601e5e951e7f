import type { Box, Mask } from '../picture.ts'

interface Region {
  area: number
  left: number
  right: number
  top: number
  bottom: number
  touchesBorder: boolean
}

/** Labels connected pixels (4-neighbours) of one value, run by run. Region 0 stands for all other pixels. */
export function labelRegions(data: Uint8Array, value: number, width: number, height: number) {
  const labels = new Int32Array(data.length)
  const regions: Region[] = [{ area: 0, left: 0, right: 0, top: 0, bottom: 0, touchesBorder: false }]
  const seeds: number[] = []
  const addSeeds = (from: number, to: number) => {
    for (let index = from; index < to; index++)
      if (data[index] === value && labels[index] === 0 && (index === from || data[index - 1] !== value))
        seeds.push(index)
  }
  for (let start = 0; start < data.length; start++) {
    if (data[start] !== value || labels[start] !== 0) continue
    const id = regions.length
    const region: Region = { area: 0, left: width, right: 0, top: height, bottom: 0, touchesBorder: false }
    regions.push(region)
    for (let seed: number | undefined = start; seed !== undefined; seed = seeds.pop()) {
      if (labels[seed] !== 0) continue
      const y = Math.floor(seed / width)
      const row = y * width
      let left = seed
      while (left > row && data[left - 1] === value) left--
      let end = seed + 1
      while (end < row + width && data[end] === value) end++
      labels.fill(id, left, end)
      region.area += end - left
      region.left = Math.min(region.left, left - row)
      region.right = Math.max(region.right, end - 1 - row)
      region.top = Math.min(region.top, y)
      region.bottom = Math.max(region.bottom, y)
      if (y > 0) addSeeds(left - width, end - width)
      if (y < height - 1) addSeeds(left + width, end + width)
    }
    region.touchesBorder =
      region.left === 0 || region.top === 0 || region.right === width - 1 || region.bottom === height - 1
  }
  return { regions, labels }
}

/** Returns the boxes of parts of at least `minShare` of the largest part, largest first. */
export function findParts({ width, height, data }: Mask, minShare: number): Box[] {
  const [, ...parts] = labelRegions(data, 1, width, height).regions
  parts.sort((a, b) => b.area - a.area)
  return parts
    .filter(({ area }) => area >= parts[0]!.area * minShare)
    .map(({ left, top, right, bottom }) => ({ left, top, right: right + 1, bottom: bottom + 1 }))
}
