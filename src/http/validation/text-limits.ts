/** Of the key of an attribute, and of a column or a correction that names one. */
export const maxKeyLength = 64

/** Of the value of an attribute, in characters. */
export const maxValueLength = 512

// oxlint-disable-next-line no-control-regex
export const withoutControlCharacters = /^[^\u0000-\u001f\u007f-\u009f]*$/
