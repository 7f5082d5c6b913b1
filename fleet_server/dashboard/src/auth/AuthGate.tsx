import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { mustSetUp, mustSignIn, sessionQuery } from "~/api/people";
import { AppLayout } from "~/layout/AppLayout";
import { SetUpPage } from "./SetUpPage";
import { SignInPage } from "./SignInPage";

/** Shows the sign-in page at every address until the user is signed in, then the page of the address. */
export function AuthGate() {
  const { data: session, error } = useQuery(sessionQuery);
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (!session) return error ? <AppLayout /> : null;
  if (mustSignIn(session)) return <SignInPage />;
  if (mustSetUp(session) || (session.mode === "open" && path === "/setup")) return <SetUpPage />;
  return <AppLayout />;
}
