interface Region {
  area: number
  left: number
  right: number
  top: number
  bottom: number
  touchesBorder: boolean
}

/** Joins pixels of one value by their edges; region 0 stands for all other pixels. */
export function labelRegions(data: Uint8Array, value: number, width: number, height: number) {
  const labels = new Int32Array(data.length)
  const stack = new Int32Array(data.length)
  const regions: Region[] = [{ area: 0, left: 0, right: 0, top: 0, bottom: 0, touchesBorder: false }]
  for (let start = 0; start < data.length; start++) {
    if (data[start] !== value || labels[start] !== 0) continue
    const id = regions.length
    const region: Region = { area: 0, left: width, right: 0, top: height, bottom: 0, touchesBorder: false }
    regions.push(region)
    labels[start] = id
    stack[0] = start
    let top = 1
    while (top > 0) {
      const index = stack[--top]!
      const x = index % width
      const y = (index - x) / width
      region.area++
      if (x < region.left) region.left = x
      if (x > region.right) region.right = x
      if (y < region.top) region.top = y
      if (y > region.bottom) region.bottom = y
      if (x > 0 && data[index - 1] === value && labels[index - 1] === 0) labels[(stack[top++] = index - 1)] = id
      if (x < width - 1 && data[index + 1] === value && labels[index + 1] === 0) labels[(stack[top++] = index + 1)] = id
      if (y > 0 && data[index - width] === value && labels[index - width] === 0)
        labels[(stack[top++] = index - width)] = id
      if (y < height - 1 && data[index + width] === value && labels[index + width] === 0)
        labels[(stack[top++] = index + width)] = id
    }
    region.touchesBorder =
      region.left === 0 || region.top === 0 || region.right === width - 1 || region.bottom === height - 1
  }
  return { regions, labels }
}
