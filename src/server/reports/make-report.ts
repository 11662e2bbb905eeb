import type { reports } from '#contract/reports/reports.ts'
import { describe } from '#contract/permissions.ts'
import { clock } from '#server/clock.ts'
import { forbidden, notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { noteEvent, type Identity } from '#server/identity/index.ts'
import { fileName } from './export-list.ts'
import { pdfOf } from './pdf.ts'
import { workbookOf } from './report-workbook.ts'
import type { ReportSource } from './report.ts'
import { XLSX_TYPE } from './xlsx.ts'

/** Lists and creates reports. */
export function reportHandlers(
  sources: readonly ReportSource[],
  { iam }: Pick<Identity, 'iam'>,
): Pick<Handlers<typeof reports>, 'list' | 'make'> {
  return {
    list: async ({ actor }) =>
      sources.map(({ name, title, about, needs }) => ({
        name,
        title,
        about,
        formats: ['pdf', 'xlsx'],
        lock: actor.may(needs) ? null : `You need ${describe(needs)}.`,
      })),

    async make({ inTenant, actor, input }) {
      const source = sources.find(({ name }) => name === input.name)
      if (source === undefined) throw notFound('Report')
      if (!actor.may(source.needs))
        throw forbidden(`You don't have permission to do this. It requires ${describe(source.needs)}.`)
      const content = await inTenant((db) => source.read({ db, actor }))
      const body = await (input.format === 'pdf' ? pdfOf(content) : workbookOf(content))
      await noteEvent(iam, {
        customerId: actor.customerId,
        organizationId: actor.reach === 'organization' ? actor.organizationId : null,
        by: actor,
        endpoint: 'reports.make',
        table: 'reports',
        rowId: source.name,
        what: `created the report ${source.title} as ${input.format.toUpperCase()}`,
      })
      return new Download({
        name: `${fileName(source.title)}-${clock.today(actor.timeZone)}.${input.format}`,
        type: input.format === 'pdf' ? 'application/pdf' : XLSX_TYPE,
        body,
      })
    },
  }
}
