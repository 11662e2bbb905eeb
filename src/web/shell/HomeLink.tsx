import { useLocation } from '@tanstack/react-router'
import { firstPage } from '#web/session/home-page.ts'
import { useMenu } from './menu/menu.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** The way to the first page of the user's menu. Nothing on that page, and for users without a menu. */
export function HomeLink() {
  const first = firstPage(useMenu() ?? [])
  const { pathname } = useLocation()
  if (first === null || first.url === pathname) return null
  return (
    <Link to={first.url}>Go to {first.id === 'dashboard' ? 'the dashboard' : <bdi>{first.title}</bdi>}</Link>
  )
}
