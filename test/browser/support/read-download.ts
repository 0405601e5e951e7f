import { text } from 'node:stream/consumers'
import type { Download } from 'playwright-core'

/** Reads a downloaded file. Uses a stream, because the browser belongs to another process. */
export const readDownload = async (file: Download): Promise<string> => await text(await file.createReadStream())
