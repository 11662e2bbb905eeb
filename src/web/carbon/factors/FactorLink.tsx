import { Link } from '#web/ui/controls/Link.tsx'

/** A factor's name as a link to it, so that it can be copied or opened in a new tab. */
export function FactorLink({ factor: { id, name } }: { factor: { id: string; name: string } }) {
  return (
    <Link
      from="/carbon/factors"
      to="/carbon/factors"
      search={(before) => ({ ...before, factor: id, drawer: undefined })}
      className="fc-name"
    >
      <bdi title={name.length > LONG ? name : undefined}>{name}</bdi>
    </Link>
  )
}

/** Names longer than this may be truncated in their column, so they get a tooltip. */
const LONG = 40
