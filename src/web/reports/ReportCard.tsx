import { IconFileTypePdf, IconLock, IconTable } from '@tabler/icons-react'
import { type Report, reports } from '#contract/reports/reports.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'

type Format = Report['formats'][number]

const FORMATS = {
  pdf: { name: 'PDF', Icon: IconFileTypePdf },
  xlsx: { name: 'Excel', Icon: IconTable },
} as const

/** A report with its description and a button for each format. */
export function ReportCard({ report }: { report: Report }) {
  const { name, title, about, formats, lock } = report
  const making = useMutation({
    mutationFn: (format: Format) => fetchFile(reports.make, { name, format }, title),
    onError: (failure: CallFailure) => showError(failure),
  })
  return (
    <li className="fc-report">
      <div className="fc-grow">
        <h2>{title}</h2>
        <p>
          <bdi>{about}</bdi>
        </p>
        {lock !== null && (
          <p className="fc-report-lock">
            <IconLock size={14} aria-hidden="true" />
            <bdi>{lock}</bdi>
          </p>
        )}
      </div>
      <div className="fc-row">
        {formats.map((format) => {
          const { name: label, Icon } = FORMATS[format]
          return (
            <Action
              key={format}
              for={reports.make}
              variant="default"
              lock={lock}
              aria-label={`${title} as ${label}`}
              leftSection={<Icon size={16} stroke={1.6} aria-hidden="true" />}
              loading={making.isPending && making.variables === format}
              onClick={() => !making.isPending && making.mutate(format)}
            >
              {label}
            </Action>
          )
        })}
      </div>
    </li>
  )
}
