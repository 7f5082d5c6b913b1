import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import { forwardRef, type AnchorHTMLAttributes } from "react";

type Props = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>;

const AnchorButton = forwardRef<HTMLAnchorElement, Props>(function AnchorButton(props, ref) {
  return <Button component="a" ref={ref} {...props} />;
});

/** A button that leads to a page, with a real address: it opens in a new tab, too. */
export const ButtonLink = createLink(AnchorButton);
