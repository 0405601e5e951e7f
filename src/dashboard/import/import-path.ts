export const importsPath = '/dashboard/imports'

/** The page of an import; its id is a uuid of our own or of our page. */
export const importPath = (id: string) => `${importsPath}/${id}`

export const filePath = `${importsPath}/file`

export const templatePath = `${importsPath}/template.csv`
