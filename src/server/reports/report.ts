import type { FieldKind } from '#contract/lists/list.ts'
import type { Report as Offered } from '#contract/reports/reports.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/** What a report says, ready to be laid out as a document or a workbook. Plain values: it travels to another thread. */
export type ReportContent = Readonly<{
  title: string
  /** Customer and organization, moment, who made it: under the title, and again on every page. */
  facts: readonly Readonly<{ title: string; value: string }>[]
  figures: readonly Readonly<{ title: string; value: string }>[]
  columns: readonly Readonly<{ title: string; kind: FieldKind; share: number }>[]
  groups: readonly Readonly<{ title: string; rows: readonly (readonly string[])[] }>[]
  /** What stands over the line on which somebody signs; null: nobody does. */
  signature: string | null
}>

/** A report of a domain: what it takes besides the permission to make reports, and what it tells. */
export type ReportSource = Pick<Offered, 'name' | 'title' | 'about'> &
  Readonly<{
    needs: Permission
    read: (context: { db: Database; actor: Member }) => Promise<ReportContent>
  }>
