import { IconChevronRight, IconSettings } from '@tabler/icons-react'
import { HomeLink } from '../HomeLink.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { entriesOf, useMenu } from '../menu/menu.ts'
import { MenuIcon } from '../menu/MenuIcon.tsx'
import { MenuBadge } from '../menu/MenuLink.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './admin.css'

/** The description of each administration page, by path. Pages that aren't here show only their title. */
const PURPOSES: Readonly<Record<string, string>> = {
  '/administration/users': 'Users, where they work and what they can do.',
  '/administration/user-types': 'Named sets of permissions for users.',
  '/administration/provider-mappings': 'How provider feeds are mapped to vehicle fields.',
  '/administration/data-mappings': 'How feed values such as body styles, fuels and colors are translated.',
  '/administration/media': 'Pictures and files in folders.',
  '/administration/promo-pages': 'Pages of the public site, made of blocks, with versions and a schedule.',
  '/administration/dvp-layouts': 'Which blocks pages may have, and which are on each of them.',
  '/administration/short-url':
    'Short addresses and QR codes of vehicles, forms, pages and other sites, with their clicks.',
  '/administration/email-templates': 'Customize the emails that Forecourt sends.',
  '/administration/email-handlers': 'How emails are sent: by Postmark, a mail server, or not at all.',
  '/administration/outbox': 'Emails that were sent or are waiting.',
  '/administration/audit-log': 'Who changed what, including while impersonating.',
  '/administration/health': 'Status of the database, email and jobs, and what is waiting.',
}

/** The administration pages the user can open, from the menu. */
export function AdminPage() {
  const menu = useMenu()
  const entries = entriesOf(menu ?? []).filter(({ url }) => url?.startsWith('/administration/'))
  return (
    <div className="fc-list">
      <PageHeader title="Administration" context="Settings and tools for your account." />
      {menu === null && <Spinner label="Loading administration" />}
      {menu !== null && entries.length === 0 && (
        <EmptyState
          icon={<IconSettings size={18} />}
          title="You don't have access to administration"
          text="Administration pages require separate permissions. Ask your administrator for access."
        >
          <HomeLink />
        </EmptyState>
      )}
      <ul className="fc-admin">
        {entries.map((item) => (
          <li key={item.id}>
            <MenuIcon name={item.icon} size={18} />
            <span className="fc-grow">
              <Link to={item.url ?? ''} className="fc-name">
                {item.title}
              </Link>
              <span className="fc-second">{PURPOSES[item.url ?? ''] ?? ''}</span>
            </span>
            <MenuBadge item={item} />
            <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
          </li>
        ))}
      </ul>
    </div>
  )
}
