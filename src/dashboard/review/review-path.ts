export const reviewSection = '/dashboard/review'

export const nextPath = `${reviewSection}/next`

export const reviewPath = (uuid: string) => `${reviewSection}?uuid=${encodeURIComponent(uuid)}`
