/** `12,000`, as all texts write numbers. */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** `1 garment`, `12,000 garments`. */
export const countGarments = (count: number): string => `${formatCount(count)} ${count === 1 ? 'garment' : 'garments'}`
