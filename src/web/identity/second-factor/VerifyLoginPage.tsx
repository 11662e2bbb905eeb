import { QueryClientProvider } from '@tanstack/react-query'
import { queryClient } from '#web/api/query.ts'
import { AuthLayout } from '../sign-in/AuthLayout.tsx'
import { VerifyLogin } from './VerifyLogin.tsx'
import './verify-login.css'

/** Specification section 2, /auth/verify-login: the step after the password. */
export function VerifyLoginPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <AuthLayout title="Verify Login" about="One more step to confirm it's you.">
        <VerifyLogin />
      </AuthLayout>
    </QueryClientProvider>
  )
}
