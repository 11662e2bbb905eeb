import type { FieldKind } from '#contract/lists/list.ts'
import type { Report as Offered, ReportFormat } from '#contract/reports/reports.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { PrintedDocument } from '#server/printed-document.ts'

/** The content of a report, for a PDF or workbook. Plain values, because it's sent to another thread. */
export type ReportContent = Omit<PrintedDocument, 'columns'> &
  Readonly<{ columns: readonly Readonly<{ title: string; kind: FieldKind; share: number }>[] }>

/** A domain's report. `needs`: required in addition to permission to create reports. */
export type ReportSource = Pick<Offered, 'name' | 'title' | 'about'> &
  Readonly<{
    needs: Permission
    /** Pages that fit on paper; without it, a PDF too. */
    formats?: readonly ReportFormat[]
    /** It is about one record, and is created where that is shown. What its ID is, for the message without one. */
    of?: 'target' | 'assessment'
    read: (context: { db: Database; actor: Member; id: string }) => Promise<ReportContent>
  }>
