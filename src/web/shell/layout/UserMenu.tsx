import {
  IconChevronDown,
  IconDevices,
  IconKey,
  IconLogout,
  IconMoon,
  IconPalette,
  IconShieldLock,
  IconSun,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { auth } from '#contract/identity/auth.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { changeAppearance, useAppearance } from '#web/ui/layout/appearance.ts'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { useBoot } from '#web/use-boot.ts'
import { DropMenu } from '#web/ui/controls/DropMenu.tsx'
import { openPanel } from './panels.ts'
import { useSignOut } from '../use-sign-out.ts'

/** The signed-in user and their account settings. */
export function UserMenu() {
  const { claims } = useSession()
  const { hasThemeCustomizer } = useBoot()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const me = useQuery(query(auth.me, {}))
  // Falls back to the user name if the full name can't be loaded.
  const name = me.data?.impersonateFullName ?? (me.isError ? (claims?.impersonateUserName ?? '') : '')
  const trigger = (
    <>
      <span className="fc-user-mark">
        <Mark logo={null} name={name} size={26} />
      </span>
      <span className="fc-cut">
        {name === '' ? <span className="fc-hidden">Your account</span> : <bdi>{name}</bdi>}
      </span>
      <IconChevronDown size={14} aria-hidden="true" />
    </>
  )

  return (
    <DropMenu className="fc-user" kind="menu" side="end" trigger={trigger}>
      <Item icon={<IconKey size={16} stroke={1.6} />} onClick={() => openPanel('change-password')}>
        Change Password
      </Item>
      <Item
        icon={<IconShieldLock size={16} stroke={1.6} />}
        onClick={() => void navigate({ to: '/account/security' })}
      >
        Security
      </Item>
      <Item
        icon={<IconDevices size={16} stroke={1.6} />}
        onClick={() => void navigate({ to: '/account/sessions' })}
      >
        My sessions
      </Item>
      {hasThemeCustomizer ? (
        <Item icon={<IconPalette size={16} stroke={1.6} />} onClick={() => openPanel('customizer')}>
          Appearance
        </Item>
      ) : (
        <SchemeSwitch />
      )}
      <hr />
      <Item icon={<IconLogout size={16} stroke={1.6} className="fc-flip" />} onClick={signOut}>
        Sign out
      </Item>
    </DropMenu>
  )
}

/** Replaces the theme customizer if it is turned off. */
function SchemeSwitch() {
  const { scheme } = useAppearance()
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches
  const isDark = scheme === 'dark' || (scheme === 'auto' && isSystemDark)
  const Icon = isDark ? IconSun : IconMoon
  return (
    <Item
      icon={<Icon size={16} stroke={1.6} />}
      onClick={() => changeAppearance({ scheme: isDark ? 'light' : 'dark' })}
    >
      {isDark ? 'Light mode' : 'Dark mode'}
    </Item>
  )
}

type ItemProps = { icon: ReactNode; onClick: () => void; children: string }

function Item({ icon, onClick, children }: ItemProps) {
  return (
    <button type="button" role="menuitem" className="fc-drop-item" onClick={onClick}>
      {icon}
      {children}
    </button>
  )
}
