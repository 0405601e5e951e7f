import { escapeHtml } from '../html.ts'

/** Text with code between backquotes. */
export const inline = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
