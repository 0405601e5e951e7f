/** Formats a whole number as `12,000`, without `Intl`, which takes 10 ms to load. */
export const formatCount = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

export const countGarments = (count: number): string => `${formatCount(count)} ${count === 1 ? 'garment' : 'garments'}`
