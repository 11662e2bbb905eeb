import { IconChevronRight, IconSettings } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { entriesOf, useMenu } from '../menu/menu.ts'
import { MenuIcon } from '../menu/MenuIcon.tsx'
import { MenuBadge } from '../menu/MenuLink.tsx'
import './admin.css'

/** What each page of administration is for, by its address. One that is not here shows its title alone. */
const PURPOSES: Readonly<Record<string, string>> = {
  '/administration/users': 'Who may sign in, where they work and what they may do.',
  '/administration/user-types': 'Named sets of permissions that people share.',
  '/administration/provider-mappings': 'How the feeds of your providers become vehicles.',
  '/administration/data-mappings': 'What the words of feeds become: body styles, fuels, colours and more.',
  '/administration/media': 'Pictures and files, in folders.',
  '/administration/email-templates': 'The mails of the product in your own words.',
  '/administration/email-handlers': 'How mails leave: by Postmark, a mail server, or not at all.',
  '/administration/outbox': 'Every mail Forecourt sent, and those that wait.',
  '/administration/audit-log': 'Who changed what, and in whose skin.',
  '/administration/health': 'Whether database, mail and jobs work, and what waits.',
}

/** The administration the person may open, from the same menu as everything else. */
export function AdminPage() {
  const menu = useMenu()
  const entries = entriesOf(menu ?? []).filter(({ url }) => url?.startsWith('/administration/'))
  return (
    <div className="fc-list">
      <PageHeader title="Administration" context="What keeps the rest running." />
      {menu === null && <Spinner label="Loading administration" />}
      {menu !== null && entries.length === 0 && (
        <EmptyState
          icon={<IconSettings size={18} />}
          title="Nothing here is open to you"
          text="Administration takes permissions of its own. Whoever administers your customer can grant them."
        >
          <Link to="/dashboard">Go to the dashboard</Link>
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
