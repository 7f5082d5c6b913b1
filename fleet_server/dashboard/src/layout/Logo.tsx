/** Three chevrons, each further and brighter: waves of a rollout. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" role="img" aria-label="edgefleet">
      <rect width="32" height="32" rx="8" fill="#2f5fe8" />
      <g fill="none" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M18.5 8.5 25 16l-6.5 7.5" />
        <path d="M12.5 10.6 17 16l-4.5 5.4" opacity=".72" />
        <path d="M7.4 12.8 10 16l-2.6 3.2" opacity=".45" />
      </g>
    </svg>
  );
}
