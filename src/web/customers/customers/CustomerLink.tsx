import { Link } from '@tanstack/react-router'

/** Opens a customer from its name, as a link that can be copied or opened in a new tab. */
export function CustomerLink({ id, name }: { id: string; name: string }) {
  return (
    <Link
      from="/customers"
      to="/customers"
      search={(before) => ({ ...before, customer: id })}
      className="fc-name"
    >
      <bdi>{name}</bdi>
    </Link>
  )
}
