import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { mustSetUp, mustSignIn, sessionQuery } from "~/api/people";
import { part } from "~/layout/part";

const layout = part(() => import("~/layout/AppLayout").then((module) => ({ default: module.AppLayout })));
const AppLayout = lazy(layout);
const SetUpPage = lazy(part(() => import("./SetUpPage").then((module) => ({ default: module.SetUpPage }))));
const SignInPage = lazy(part(() => import("./SignInPage").then((module) => ({ default: module.SignInPage }))));

layout().catch(() => undefined); // on its way while the session is asked for; what fails is shown when it is needed

/** Shows the sign-in page at every address until the user is signed in, then the page of the address. */
export function AuthGate() {
  return (
    <Suspense fallback={null}>
      <Gate />
    </Suspense>
  );
}

function Gate() {
  const { data: session, error } = useQuery(sessionQuery);
  const path = useRouterState({ select: (state) => state.location.pathname });
  if (!session) return error ? <AppLayout /> : null;
  if (mustSignIn(session)) return <SignInPage />;
  if (mustSetUp(session) || (session.mode === "open" && path === "/setup")) return <SetUpPage />;
  return <AppLayout />;
}
