/** The content of a document that is printed or saved as a PDF. */
export type PrintedDocument = Readonly<{
  title: string
  /** Below the title, and on every page. */
  facts: readonly Readonly<{ title: string; value: string }>[]
  figures: readonly Readonly<{ title: string; value: string }>[]
  /** Amounts (`money`) are aligned at the end. */
  columns: readonly Readonly<{ title: string; kind: string; share: number }>[]
  groups: readonly Readonly<{ title: string; rows: readonly (readonly string[])[] }>[]
  /** The label of the signature line; null for none. */
  signature: string | null
  /** QR codes to cut out, instead of groups. */
  codes?: readonly Readonly<{ title: string; link: string; text: string }>[]
  /** The language of the text, as a tag; without it English. It decides the direction of the pages, too. */
  language?: string
  paper?: 'a4' | 'us-letter'
}>

/** Makes a PDF of a document. Customers take turns. */
export type MakePdf = (document: PrintedDocument, customerId: string) => Promise<Buffer>
