import { text } from 'node:stream/consumers'
import type { Download } from 'playwright-core'

/** The text of a downloaded file. By a stream, because the browser belongs to another process. */
export const readDownload = async (file: Download): Promise<string> => await text(await file.createReadStream())
