import { ForRole } from "~/account/role";
import { ButtonLink } from "~/parts/links";

/** To the wizard, for those who may start what it makes. */
export function NewRolloutLink() {
  return (
    <ForRole role="operator">
      <ButtonLink to="/rollouts/new">New rollout</ButtonLink>
    </ForRole>
  );
}
