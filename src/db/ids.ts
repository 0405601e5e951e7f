export const newId = () => crypto.randomUUID()
