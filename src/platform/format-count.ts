/** Formats a whole number as `12,000`. Without `Intl`, which takes 10 ms to load its data. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** `1 garment`, `12,000 garments`. */
export const countGarments = (count: number): string => `${formatCount(count)} ${count === 1 ? 'garment' : 'garments'}`
