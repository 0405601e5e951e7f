/** Of the key of an attribute, and of a column or a correction that names one. */
export const maxKeyLength = 64

/** Of the value of an attribute, in characters. */
export const maxValueLength = 512

/** Of texts of one line. */
// oxlint-disable-next-line no-control-regex
export const withoutControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/

/**
 * What texts of several lines may not have: the C0 controls, tab and line ends apart, and DEL. JSON writes most of them
 * as six characters.
 */
// oxlint-disable-next-line no-control-regex
export const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
