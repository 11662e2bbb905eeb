import { holds } from '#contract/permissions.ts'
import { assessments } from '#contract/assessments/assessments/assessments.ts'
import { useSession } from '#web/session/use-session.ts'
import { areaTexts, browserLanguage } from '#web/assessments/index.ts'
import { AreaMessage } from './AreaLayout.tsx'

/** The page without a link. Staff learn where they manage participants (decision 151). */
export function NoLink({ language }: { language: string }) {
  const text = areaTexts(browserLanguage([language]))
  const { claims, permissions } = useSession()
  const { allow } = assessments.list
  const maySee =
    permissions !== null && typeof allow === 'object' && 'func' in allow && holds(permissions, allow)
  return (
    <AreaMessage title={text('noLinkTitle')} language={language}>
      {claims === null ? (
        <p>{text('noLinkText')}</p>
      ) : (
        <p>{text('staffText', { name: claims.impersonateUserName })}</p>
      )}
      {maySee && (
        // A link of its own: the back office has another content security policy.
        <p>
          <a href="/assessments">{text('staffLink')}</a>
        </p>
      )}
    </AreaMessage>
  )
}
