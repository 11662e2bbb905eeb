type Named = Readonly<{ title: string; value: string }>

/** The content of a document that is printed or saved as a PDF, or as a page of HTML. */
export type PrintedDocument = Readonly<{
  title: string
  /** Below the title, and on every page. */
  facts: readonly Named[]
  figures: readonly Named[]
  /** Amounts (`money`) are aligned at the end. */
  columns: readonly Readonly<{ title: string; kind: string; share: number }>[]
  groups: readonly Readonly<{ title: string; rows: readonly (readonly string[])[] }>[]
  /** The label of the signature line; null for none. */
  signature: string | null
  /** Several lines to sign, in pairs beside each other. */
  signatures?: readonly string[]
  /** QR codes to cut out, each with its address for those who type it. */
  codes?: readonly Readonly<{ title: string; link: string; text: string }>[]
  /** Who gives the document, above its title. */
  letterhead?: Readonly<{ name: string; lines: readonly string[] }>
  /** Short entries in two columns. */
  list?: Readonly<{ title: string; items: readonly string[] }> | null
  /** Paragraphs in small print, such as disclaimers. */
  notes?: readonly string[]
  /** Files inside the PDF, such as what a reader can verify. */
  attachments?: readonly Readonly<{ name: string; type: string; about: string; text: string }>[]
  /** A sticker has a large title and price; tags are cards, four on a page. */
  size?: 'sheet' | 'sticker' | 'tag'
  /** The language of the text, as a tag; without it English. It decides the direction of the pages, too. */
  language?: string
  paper?: 'a4' | 'us-letter'
  isPortrait?: boolean
}>

/** Makes a PDF of a document, or of several that follow each other. Customers take turns. */
export type MakePdf = (
  documents: PrintedDocument | readonly PrintedDocument[],
  customerId: string,
) => Promise<Buffer>

/** "Nov 24, 2026, 6:10 AM PST", or with seconds: "6:10:04 AM". */
export function momentText(
  instant: string,
  zone: string,
  { hasSeconds = false }: { hasSeconds?: boolean } = {},
): string {
  return new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(hasSeconds && { second: '2-digit' }),
    timeZone: zone,
    timeZoneName: 'short',
  }).format(new Date(instant))
}
