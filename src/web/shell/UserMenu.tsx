import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconChevronDown, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { auth } from '#contract/identity/auth.ts'
import { query } from '#web/api/query.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { Mark } from '#web/ui/Mark.tsx'
import { mayLeave } from '#web/ui/unsaved.ts'

/** Who is signed in, and what concerns the person rather than the work. */
export function UserMenu() {
  const session = useSessionOwner()
  const { claims } = useSession()
  const me = useQuery(query(auth.me, {}))
  // The name to sign in with stands in only where the person's own cannot be had.
  const name = me.data?.impersonateFullName ?? (me.isError ? (claims?.impersonateUserName ?? '') : '')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isDark = document.documentElement.getAttribute('data-mantine-color-scheme') === 'dark'

  async function signOut() {
    if (await mayLeave()) await session.logout()
  }

  return (
    <Menu position="bottom-end" width={200} key={colorScheme}>
      <Menu.Target>
        <UnstyledButton className="fc-user">
          <span className="fc-user-mark">
            <Mark logo={null} name={name} size={26} />
          </span>
          <span className="fc-cut">
            {name === '' ? <span className="fc-hidden">Your account</span> : <bdi>{name}</bdi>}
          </span>
          <IconChevronDown size={14} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {isDark ? 'Light colours' : 'Dark colours'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} className="fc-flip" />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
