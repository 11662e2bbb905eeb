import { useLocation } from '@tanstack/react-router'
import { ACCESS } from '#web/session/guard.ts'
import { firstPage } from '#web/session/home-page.ts'
import { useMenu } from './menu/menu.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** The way to the first page of the user's menu, or to what they may do without one. Nothing on that page. */
export function HomeLink() {
  const menu = useMenu()
  const first = firstPage(menu ?? [])
  const { pathname } = useLocation()
  if (menu !== null && first === null) return <Link to={ACCESS}>See what you may do</Link>
  if (first === null || first.url === pathname) return null
  return (
    <Link to={first.url}>Go to {first.id === 'dashboard' ? 'the dashboard' : <bdi>{first.title}</bdi>}</Link>
  )
}
