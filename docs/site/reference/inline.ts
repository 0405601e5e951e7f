import { escapeHtml } from '../html.ts'

/** Renders text in which backquotes mark code. */
export const inline = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
