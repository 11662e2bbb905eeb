import type {
  FEED_DELIMITERS,
  FEED_ENCODINGS,
  FeedShape,
} from '#contract/inventory/feeds/formats/feed-shape.ts'

export const DELIMITER_NAMES: Readonly<Record<(typeof FEED_DELIMITERS)[number], string>> = {
  ',': 'Commas',
  '\t': 'Tabs',
  '|': 'Bars',
  ';': 'Semicolons',
}

export const ENCODING_NAMES: Readonly<Record<(typeof FEED_ENCODINGS)[number], string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little end first',
  'utf-16be': 'UTF-16, big end first',
  'windows-1252': 'Windows-1252',
}

/** What is said of a file: "CSV, tabs, no line of names"; "found out" where nothing is. */
export function describeShape({ format, encoding, delimiter, header, path }: FeedShape): string {
  const said = [
    format === 'auto' ? null : format.toUpperCase(),
    delimiter === 'auto' ? null : DELIMITER_NAMES[delimiter].toLowerCase(),
    encoding === 'auto' ? null : ENCODING_NAMES[encoding],
    header === 'yes' ? 'first line names the columns' : null,
    header === 'no' ? 'no line of names' : null,
    path === null ? null : `rows at ${path}`,
  ].filter((one) => one !== null)
  return said.length === 0 ? 'found out' : said.join(', ')
}
