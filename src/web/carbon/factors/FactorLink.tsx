import { Link } from '@tanstack/react-router'

/** Opens a factor from its name, as a link that can be copied or opened in a new tab. */
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

/** What may be cut off in its column can be read by pointing at it. */
const LONG = 40
