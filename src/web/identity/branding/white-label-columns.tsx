import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { whiteLabels } from '#contract/identity/branding/white-labels.ts'
import type { WHITE_LABEL_LIST } from '#contract/identity/branding/white-label-list.ts'
import type { DomainWhiteLabel } from '#contract/identity/branding/white-labels.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { DomainStatus } from './DomainStatus.tsx'
import { PURPOSE_NAMES } from './white-label-form.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Columns that show more than the value of their field. */
export const CELLS: Cells<DomainWhiteLabel, keyof typeof WHITE_LABEL_LIST.fields> = {
  domain: (label) => <DomainLink label={label} />,
  title: (label) => <Title label={label} />,
  purpose: ({ purpose }) => PURPOSE_NAMES[purpose],
  state: (label) => <DomainStatus of={label} />,
  updatedAt: ({ updatedAt, updatedBy }) => (
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

export const WIDTHS = { domain: 260, title: 240, state: 200 }

/** A row on a narrow screen. */
export function DomainBlock({ label }: { label: DomainWhiteLabel }) {
  return (
    <>
      <div className="fc-block-head">
        <DomainLink label={label} />
        <DomainStatus of={label} />
      </div>
      <div className="fc-small fc-faint">{PURPOSE_NAMES[label.purpose]}</div>
      <div className="fc-small">
        <Title label={label} />
      </div>
    </>
  )
}

function Title({ label: { title, brand } }: { label: DomainWhiteLabel }) {
  return (
    <span className="fc-brand-title">
      <span className="fc-brand-dot" style={{ background: brand }} />
      <bdi>{title}</bdi>
    </span>
  )
}

function DomainLink({ label }: { label: DomainWhiteLabel }) {
  return (
    <MayOpen for={whiteLabels.get}>
      <Link
        from="/administration/domain-white-label"
        to="/administration/domain-white-label"
        search={(before) => ({ ...before, domain: label.id })}
        className="fc-name"
      >
        <bdi>{label.domain}</bdi>
      </Link>
    </MayOpen>
  )
}
