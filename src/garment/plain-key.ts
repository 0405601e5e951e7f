/** The spelling in which the names of a client's attributes are compared: lower case, without spaces, `-` and `_`. */
export const plainKey = (key: string) => key.toLowerCase().replaceAll(/[\s_-]/g, '')
