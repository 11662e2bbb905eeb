import { createLink, type LinkComponent, useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'
import { useHolds } from '#web/session/use-session.ts'

type Props = AnchorHTMLAttributes<HTMLAnchorElement>

/** The link, or only its text for those who can't open the page. */
function Anchor({ children, ...props }: Props) {
  const router = useRouter()
  const holds = useHolds()
  const { pathname } = new URL(props.href ?? '', globalThis.location.href)
  const [, , found] = router.getMatchedRoutes(pathname)
  const needs = found?.options.staticData?.needs
  if (needs !== undefined && holds(needs) === false) return <span>{children}</span>
  return <a {...props}>{children}</a>
}

/**
 * A link to a page of another domain: used like `Link`. Users without the permission of that page read the text only,
 * because no link may end in a refusal.
 */
export const PageLink: LinkComponent<typeof Anchor> = createLink(Anchor)
