import { REPORT_FORMATS, type reports } from '#contract/reports/reports.ts'
import { describe } from '#contract/permission-text.ts'
import { clock } from '#server/clock.ts'
import { notFound, refused } from '#server/http/failure.ts'
import { requirePermission } from '#server/http/require-permission.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { noteEvent, type Identity } from '#server/identity/index.ts'
import type { MakePdf } from '#server/printed-document.ts'
import { fileName } from './export-list.ts'
import type { ReportSource } from './report.ts'
import { workbookOf } from './workbook.ts'
import { XLSX_TYPE } from './xlsx.ts'

/** Lists and creates reports. */
export function reportHandlers(
  sources: readonly ReportSource[],
  { iam, pdfOf }: Pick<Identity, 'iam'> & { pdfOf: MakePdf },
): Pick<Handlers<typeof reports>, 'list' | 'make'> {
  return {
    list: async ({ actor }) =>
      sources
        .filter((source) => source.of === undefined)
        .map(({ name, title, about, needs, formats }) => ({
          name,
          title,
          about,
          formats: [...(formats ?? REPORT_FORMATS)],
          lock: actor.may(needs) ? null : `You need ${describe(needs)}.`,
        })),

    async make({ inTenant, actor, input }) {
      const source = sources.find(({ name }) => name === input.name)
      if (source === undefined) throw notFound('Report')
      requirePermission(actor, source.needs)
      if (source.of !== undefined && input.id === undefined)
        throw refused('Some fields are invalid.', { id: `Send the ID of the ${source.of}.` })
      if (source.formats?.includes(input.format) === false)
        throw refused('Some fields are invalid.', { format: 'This report is available as a workbook only.' })
      const content = await inTenant((db) => source.read({ db, actor, id: input.id ?? '' }))
      const body = await (input.format === 'pdf' ? pdfOf : workbookOf)(content, actor.customerId)
      await noteEvent(iam, {
        customerId: actor.customerId,
        organizationId: actor.reach === 'organization' ? actor.organizationId : null,
        by: actor,
        endpoint: 'reports.make',
        table: 'reports',
        rowId: source.name,
        what: `created the report ${content.title} as ${input.format.toUpperCase()}`,
      })
      return new Download({
        name: `${fileName(content.title)}-${clock.today(actor.timeZone)}.${input.format}`,
        type: input.format === 'pdf' ? 'application/pdf' : XLSX_TYPE,
        body,
        isTaken: false,
      })
    },
  }
}
