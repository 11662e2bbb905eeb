import { formatDay } from '#web/ui/layout/date-format.ts'

/** The cells that lists of documents share. */
export const documentCells = {
  updatedAt: ({ updatedAt, updatedBy }: Readonly<{ updatedAt: string; updatedBy: string | null }>) => (
    <>
      {formatDay(updatedAt)}
      {updatedBy !== null && (
        <span className="fc-second">
          <bdi>{updatedBy}</bdi>
        </span>
      )}
    </>
  ),
}
export const DOCUMENT_WIDTHS = { status: 128, publishedAt: 116, updatedAt: 148 }
