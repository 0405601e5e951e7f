/** What a pixel is before regions grow. */
export const unknown = 0
export const surelyBackground = 1
export const surelyCloth = 2
