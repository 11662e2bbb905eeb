import { List, Stack, Text, Title } from '@mantine/core'
import { Func, type Permission, type Permissions } from '#contract/permissions.ts'
import { permissionText } from '#contract/permission-text.ts'
import { useSession } from '#web/session/use-session.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'

/** Where functions are used that have no page of their own, by number. */
const WHERE: Readonly<Record<number, string>> = {
  [Func.dataExport.func]: 'on lists and people that you may open',
  [Func.jobsAndHealth.func]: 'under Jobs',
  [Func.sessionsOfOthers.func]: 'on the pages of users',
  [Func.vehicleCost.func]: 'on the pages of vehicles',
  [Func.participants.func]: 'in assessments',
}

/** What a user may do, and where: they start here if none of their permissions opens a page of the menu. */
export function AccessPage() {
  const { claims, permissions } = useSession()
  return (
    <div className="fc-list">
      <PageHeader title="Your access" context={`You work in ${claims?.organizationName ?? ''}.`} />
      {permissions === null ? (
        <Spinner label="Loading your permissions" />
      ) : (
        <Stack gap="md" p="lg" maw={640}>
          <Held permissions={permissions} />
          <AlwaysOpen />
        </Stack>
      )}
    </div>
  )
}

function Held({ permissions: { isSuper, permissions } }: { permissions: Permissions }) {
  if (isSuper) return <Text>You may do everything.</Text>
  if (permissions.length === 0)
    return (
      <Text>
        You can sign in, but you have no permissions in this organization yet. Ask an administrator of your
        user types for the ones that you need.
      </Text>
    )
  return (
    <>
      <Text>
        You may do the following. What isn't in the menu is a part of other pages, which need a permission to
        list their records. Ask an administrator of your user types if you miss a page.
      </Text>
      <List aria-label="Your permissions">
        {[...Map.groupBy(permissions, ({ func }) => func)].map(([func, own]) => (
          <List.Item key={func}>
            {wordsOf(own)}
            {WHERE[func] !== undefined && ` (${WHERE[func]})`}
          </List.Item>
        ))}
      </List>
    </>
  )
}

/** "Lots: list, read". */
function wordsOf(permissions: readonly Permission[]): string {
  const texts = permissions.map((one) => permissionText(one).split(/, (?=[^,]+$)/))
  return `${texts[0]?.[0] ?? ''}: ${texts.map(([, operation]) => operation).join(', ')}`
}

function AlwaysOpen() {
  return (
    <>
      <Title order={2} size="h5">
        Always open to you
      </Title>
      <List>
        <List.Item>
          <Link to="/account/security" className="fc-link">
            Security
          </Link>
          : your password, second factor and trusted devices
        </List.Item>
        <List.Item>
          <Link to="/account/sessions" className="fc-link">
            Your sessions
          </Link>
          : where you are signed in
        </List.Item>
        <List.Item>
          <Link to="/jobs" className="fc-link">
            Jobs
          </Link>
          : what you started and how it ended
        </List.Item>
      </List>
    </>
  )
}
