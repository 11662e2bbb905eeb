import type { FEED_DELIMITERS, FEED_ENCODINGS, FeedShape } from '#contract/feeds/mappings/feed-shape.ts'

export const DELIMITER_NAMES: Readonly<Record<(typeof FEED_DELIMITERS)[number], string>> = {
  ',': 'Commas',
  '\t': 'Tabs',
  '|': 'Vertical bars',
  ';': 'Semicolons',
}

export const ENCODING_NAMES: Readonly<Record<(typeof FEED_ENCODINGS)[number], string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252',
}

/** The text if nothing about a file is specified. */
export const AUTO_DETECT = 'auto-detect'

/** A summary of a file's format: "CSV, tabs, no header"; "auto-detect" if nothing is specified. */
export function describeShape({ format, encoding, delimiter, header, path }: FeedShape): string {
  const parts = [
    format === 'auto' ? null : format.toUpperCase(),
    delimiter === 'auto' ? null : DELIMITER_NAMES[delimiter].toLowerCase(),
    encoding === 'auto' ? null : ENCODING_NAMES[encoding],
    header === 'yes' ? 'with header' : null,
    header === 'no' ? 'no header' : null,
    path === null ? null : `rows at ${path}`,
  ].filter((one) => one !== null)
  return parts.length === 0 ? AUTO_DETECT : parts.join(', ')
}
