import { Link } from '@tanstack/react-router'
import type { JobFailure } from '#contract/jobs/jobs.ts'

/** A link to the record of a failed row; plain text if it has no page. `kind` is the job's. */
export function RowLink({ kind, row: { rowId, title } }: { kind: string; row: JobFailure }) {
  const name = <bdi>{title}</bdi>
  const [domain] = kind.split('.')
  switch (domain) {
    case 'lots':
      return (
        <Link to="/customers/lots" search={{ lot: rowId }}>
          {name}
        </Link>
      )
    case 'vehicles':
      return (
        <Link to="/inventory/vehicle-data" search={{ vehicle: rowId }}>
          {name}
        </Link>
      )
    case 'users':
      return (
        <Link to="/administration/users/$id" params={{ id: rowId }}>
          {name}
        </Link>
      )
    default:
      return name
  }
}
