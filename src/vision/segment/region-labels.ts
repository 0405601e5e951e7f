/** What a pixel is before regions grow. */
export const UNKNOWN = 0
export const BACKGROUND = 1
export const CLOTH = 2
